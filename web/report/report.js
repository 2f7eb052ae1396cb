// The script of saved reports.
export {};
