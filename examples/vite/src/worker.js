import init from './primes.wasm?init';

onmessage = async ({ data: limit }) => {
  const { exports } = await init();
  postMessage(exports.count_primes(limit));
};
