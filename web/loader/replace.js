// Puts something in the place of a function of the platform, or of a getter, and takes it back.

/**
 * @param {any} owner that has the property itself
 * @param {string} name
 * @param {(native: any) => any} make what comes in its place: of the function, or of the getter where the property has one
 * @returns {() => void} undoes it, unless someone else has patched on top
 */
export function replace(owner, name, make) {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  if (!before?.configurable) return () => {};
  const key = before.get ? 'get' : 'value';
  const ours = make(before[key]);
  Object.defineProperty(owner, name, { ...before, [key]: ours });
  return () => {
    if (Object.getOwnPropertyDescriptor(owner, name)?.[key] === ours) Object.defineProperty(owner, name, before);
  };
}
