// Each way to load the module counts the primes up to a limit of its own.
import init from './primes.wasm?init';
import address from './primes.wasm?url';
import { count_primes } from './primes.wasm';
import BundledWorker from './worker.js?worker';

const ways = {
  '?init': async () => (await init()).exports.count_primes(10),
  '?url': async () => countStreamed(fetch(address), 100),
  import: async () => count_primes(1000),
  'new URL': async () => countStreamed(fetch(new URL('./primes.wasm', import.meta.url)), 20),
  '?worker': () => ask(new BundledWorker(), 200),
  'module worker': () => ask(new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }), 300),
  'classic worker': () => ask(new Worker(new URL('./classic-worker.js', import.meta.url)), { address: absolute(address), limit: 50 }),
};

async function countStreamed(response, limit) {
  const { instance } = await WebAssembly.instantiateStreaming(response);
  return instance.exports.count_primes(limit);
}

function ask(worker, question) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(question);
  });
}

function absolute(url) {
  return new URL(url, document.baseURI).href;
}

const results = document.getElementById('results');
for (const [way, count] of Object.entries(ways)) {
  const item = document.createElement('li');
  item.textContent = `${way}: ${await count()}`;
  results.append(item);
}
results.dataset.complete = 'yes';
