import { drawPicture } from './draw-picture.ts'

// A worker of shrink-picture.ts: a file comes in, what it shows goes out.
addEventListener('message', ({ data }: MessageEvent<File>) => {
  void drawPicture(data).then((drawn) => postMessage(drawn))
})
