// Each way to load the module counts the primes up to a limit of its own.
const ways = {
  import: async () => (await import('./primes.wasm')).count_primes(1000),
  asset: async () => countStreamed(fetch(new URL('./primes.wasm', import.meta.url)), 20),
  worker: () => ask(new Worker(new URL('./worker.js', import.meta.url)), 300),
};

async function countStreamed(response, limit) {
  const { instance } = await WebAssembly.instantiateStreaming(response);
  return instance.exports.count_primes(limit);
}

function ask(worker, limit) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(limit);
  });
}

const results = document.getElementById('results');
for (const [way, count] of Object.entries(ways)) {
  const item = document.createElement('li');
  item.textContent = `${way}: ${await count()}`;
  results.append(item);
}
results.dataset.complete = 'yes';
