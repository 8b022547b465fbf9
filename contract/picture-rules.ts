/** The rules of a listing's picture that the form tells before sending, and the server again. */

/** The largest picture a form may carry. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024

export const pictureMissing = 'Image is required for an e-commerce listing'
