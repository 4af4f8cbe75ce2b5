-- The blocks whose sums do not fit, or may not: a square is halves of 19 digits here, whose sums cannot overflow.
SELECT keys.screen, keys.display, keys.layer, blocks.block, blocks.sum, blocks.high, blocks.low, blocks.touched
FROM (
  SELECT grid, block,
    sum(CAST(sum AS DECIMAL(38,0))) AS sum,
    sum(CAST(substr(lpad(CAST(square AS VARCHAR(38)), 38, '0'), 1, 19) AS DECIMAL(38,0))) AS high,
    sum(CAST(substr(lpad(CAST(square AS VARCHAR(38)), 38, '0'), 20, 19) AS DECIMAL(38,0))) AS low,
    sum(CAST(touched AS DECIMAL(38,0))) AS touched,
    count(*) AS kiosks
  FROM grids
  GROUP BY grid, block
) AS blocks
JOIN keys ON keys.grid = blocks.grid
WHERE blocks.sum > 9223372036854775807 OR blocks.touched > 9223372036854775807
  OR blocks.high + blocks.kiosks >= 10000000000000000000
