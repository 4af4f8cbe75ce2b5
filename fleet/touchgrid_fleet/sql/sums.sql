-- The sums over all kiosks in `grids`, with the number of kiosks that touched each block.
SELECT keys.screen, keys.display, keys.pixel_width, keys.pixel_height, keys.scale, keys.rotation,
  keys.block_size, keys.layer, blocks.block, blocks.sum, blocks.square, blocks.touched, blocks.kiosks
FROM (
  SELECT grid, block, CAST(sum(sum) AS BIGINT) AS sum, CAST(sum(square) AS DECIMAL(38,0)) AS square,
    CAST(sum(touched) AS BIGINT) AS touched, CAST(count(*) AS INT) AS kiosks
  FROM grids
  GROUP BY grid, block
) AS blocks
JOIN keys ON keys.grid = blocks.grid
ORDER BY screen, display, layer, pixel_width, pixel_height, scale, rotation, block_size, block
