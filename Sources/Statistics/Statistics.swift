/// Whether two sets of sessions differ by more than chance. Pure numbers: no grids, no input, no output.
public enum Statistics {}
