import { drawPicture } from './draw-picture.ts'

// The worker of shrink-picture.ts: takes a file and returns the drawn picture.
addEventListener('message', ({ data }: MessageEvent<File>) => {
  void drawPicture(data).then((drawn) => postMessage(drawn))
})
