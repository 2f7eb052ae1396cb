onmessage = async ({ data: { address, limit } }) => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(address));
  postMessage(instance.exports.count_primes(limit));
};
