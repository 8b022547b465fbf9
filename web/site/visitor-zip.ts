/** Where this device keeps its visitor's ZIP code, for distances. */
export const ZIP_KEY = 'zip'
