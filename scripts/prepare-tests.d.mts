export function prepareTests(
  root: string,
  seedFolder: string,
  isKept?: boolean,
): { BUILD_FOLDER: string; CONTENT_SEED: string; COMPILE_CACHE: string }
