package io.lockstep.history.check;

/**
 * Something no linearizable store could have answered.
 *
 * @param table of the key, or of the first of several
 * @param key where it was seen
 * @param summary one line
 * @param window the operations that show it, one in each line
 */
public record Violation(String table, String key, String summary, String window) {}
