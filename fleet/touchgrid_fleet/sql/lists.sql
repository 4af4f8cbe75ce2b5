-- The distinct lists of masks and placements of each screen, display and geometry.
SELECT DISTINCT screen, display, pixel_width, pixel_height, scale, rotation, block_size, masks, placements
FROM views
