declare module 'heic-decode' {
  type Decoded = { width: number; height: number; data: Uint8ClampedArray }
  const decode: {
    all(input: {
      buffer: Uint8Array
    }): Promise<{ width: number; height: number; decode: () => Promise<Decoded> }[]>
  }
  export default decode
}
