// The fills of a chart as pixels, one row of them for each level, which are stretched to the height of levels when they are
// drawn: a picture costs the same however many rectangles are in it.

export class PixelRows {
  #canvas = document.createElement('canvas');
  #context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'));
  #image = new ImageData(1, 1);
  #pixels = new Uint32Array(this.#image.data.buffer);

  /**
   * Begins a picture.
   * @param {number} width in device pixels
   * @param {number} rows
   * @param {number} background pixel
   */
  begin(width, rows, background) {
    if (this.#image.width !== width || this.#image.height !== rows) {
      this.#canvas.width = width;
      this.#canvas.height = rows;
      this.#image = new ImageData(width, rows);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    }
    this.#pixels.fill(background);
  }

  /** @param {number} row @param {number} from @param {number} to without it @param {number} pixel */
  fill(row, from, to, pixel) {
    const start = row * this.#image.width;
    const end = start + Math.min(to, this.#image.width);
    for (let at = start + Math.max(0, from); at < end; at++) this.#pixels[at] = pixel;
  }

  /** Draws the picture. @param {CanvasRenderingContext2D} context @param {number} top @param {number} width @param {number} height */
  draw(context, top, width, height) {
    this.#context.putImageData(this.#image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#canvas, 0, top, width, height);
  }
}
