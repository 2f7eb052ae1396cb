// The panel.
export {};
