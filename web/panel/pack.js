// Bytes to base64 of the deflated (raw) bytes, and back, by the browser's own streams.

/**
 * @param {Uint8Array} bytes
 * @param {GenericTransformStream} stream
 * @returns {Promise<Blob>}
 */
async function through(bytes, stream) {
  const writer = stream.writable.getWriter();
  // Failures are told by the reading side, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  return new Blob(parts);
}

/** @param {Blob} blob @returns {Promise<string>} */
function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** @param {Uint8Array} bytes @returns {Promise<string>} */
export async function pack(bytes) {
  const url = await dataUrl(await through(bytes, new CompressionStream('deflate-raw')));
  return url.slice(url.indexOf(',') + 1);
}

/** @param {string} base64 @returns {Promise<Uint8Array>} */
export async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const blob = await through(packed, new DecompressionStream('deflate-raw'));
  return new Uint8Array(await blob.arrayBuffer());
}
