onmessage = async ({ data: limit }) => {
  const { count_primes } = await import('./primes.wasm');
  postMessage(count_primes(limit));
};
