export function prepareTests(
  root: string,
  seedFolder: string,
): { BUILD_FOLDER: string; CONTENT_SEED: string }
