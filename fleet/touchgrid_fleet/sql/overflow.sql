-- The blocks whose sums do not fit 64 bits, each with the kiosk that counted most.
SELECT keys.screen, keys.display, keys.layer, blocks.block, blocks.kiosk
FROM (
  SELECT grid, block, sum(CAST(sum AS DECIMAL(38,0))) AS sum, max_by(kiosk, sum) AS kiosk
  FROM grids GROUP BY grid, block
) AS blocks
JOIN keys ON keys.grid = blocks.grid
WHERE blocks.sum > 9223372036854775807
