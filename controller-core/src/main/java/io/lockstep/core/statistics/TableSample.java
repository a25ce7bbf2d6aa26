package io.lockstep.core.statistics;

import io.lockstep.core.southbound.TableStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One answer about all flow tables of a switch. Immutable.
 *
 * @param readNanos when the answer came, by the node's monotone clock
 * @param tables by number
 */
record TableSample(long readNanos, Map<Integer, TableStats> tables) {

  /** The sample that an answer makes; of two entries for one table the later one counts. */
  static TableSample of(List<TableStats> answer, long readNanos) {
    Map<Integer, TableStats> tables = new LinkedHashMap<>();
    answer.forEach(one -> tables.put(one.tableId(), one));
    return new TableSample(readNanos, tables);
  }
}
