declare module "*?text" {
  const text: string;
  export default text;
}
declare module "*.webp" {
  const address: string;
  export default address;
}
