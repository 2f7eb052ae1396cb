import { defineConfig } from 'vite';
import wasmTrace from 'wasm-tracing/plugin';

export default defineConfig({
  plugins: [wasmTrace.vite({ trace: 'calls', panel: 'right' })],
});
