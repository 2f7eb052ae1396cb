import path from 'node:path';
import wasmTrace from 'wasm-tracing/plugin';

export default {
  entry: './src/main.js',
  output: { path: path.resolve(import.meta.dirname, 'public/build'), publicPath: 'auto' },
  experiments: { asyncWebAssembly: true },
  devServer: { static: 'public', devMiddleware: { publicPath: '/build/' } },
  plugins: [wasmTrace.webpack({ trace: 'calls', panel: 'right' })],
};
