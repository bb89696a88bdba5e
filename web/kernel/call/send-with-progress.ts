/** Like `fetch`, but reports upload progress, which `fetch` cannot. */
export const sendWithProgress = (
  url: string,
  init: RequestInit,
  onProgress: (sent: number) => void,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'GET', url)
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener(
      'progress',
      ({ loaded, total }) => total > 0 && onProgress(loaded / total),
    )
    request.addEventListener('load', () => {
      const headers = new Headers()
      for (const name of ['content-type', 'retry-after']) {
        const value = request.getResponseHeader(name)
        if (value) headers.set(name, value)
      }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    })
    request.addEventListener('error', () => reject(new TypeError('the connection broke')))
    request.addEventListener('abort', () => reject(new TypeError('the upload was given up')))
    request.send(init.body as string)
  })
