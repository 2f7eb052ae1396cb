// Shapes of the buttons, as paths in a square of 16.
export const ICONS = Object.freeze({
  record: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z',
  stop: 'M4 4h8v8H4z',
  clear: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5c1 0 1.9.3 2.6.9l-6.2 6.2A4.5 4.5 0 0 1 8 3.5zm0 9c-1 0-1.9-.3-2.6-.9l6.2-6.2A4.5 4.5 0 0 1 8 12.5z',
  save: 'M7.25 2h1.5v6.2l2.2-2.2 1.05 1.05L8 11.1 4 7.05 5.05 6l2.2 2.2zM3 12.5h10V14H3z',
  copy: 'M6 2h7.5v8H11V8.5h1v-5H7.5V4H6zM2.5 5.5H10v8H2.5zM4 7v5h4.5V7z',
  dockRight: 'M2 3h12v10H2zm1.5 1.5v7h5v-7z',
  dockBottom: 'M2 3h12v10H2zm1.5 1.5v4h9v-4z',
  hide: 'M4.3 3.25 8 6.95l3.7-3.7 1.05 1.05L9.05 8l3.7 3.7-1.05 1.05L8 9.05l-3.7 3.7-1.05-1.05L6.95 8l-3.7-3.7z',
  flame: 'M2 12h12v2H2zm1.5-3.5h9v2h-9zM5 5h6v2H5zm2-3.5h2v2H7z',
});
