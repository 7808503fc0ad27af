// Photos as they are sent: made smaller on the device, so that a phone need not send megabytes.

const MAX_SIDE = 1600;
const SMALL = 1_000_000;

/**
 * Return a photo as it is sent: as it is where it is small, or where the browser cannot read it.
 * @param {File} file
 * @returns {Promise<Blob>}
 */
export async function smaller(file) {
  if (file.size <= SMALL) return file;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => { canvas.toBlob(resolve, "image/jpeg", 0.85); });
    return made ?? file;
  } catch {
    return file;
  }
}
