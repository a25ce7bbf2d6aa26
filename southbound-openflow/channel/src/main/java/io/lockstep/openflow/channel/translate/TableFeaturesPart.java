package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.TableClaims;
import java.util.List;

/**
 * One message of a table-features reply.
 *
 * @param more whether another one follows
 * @param wrong what could not be read, for people; then there are no tables
 */
public record TableFeaturesPart(
    long xid, boolean more, List<TableClaims.Table> tables, String wrong) {
  public TableFeaturesPart {
    tables = List.copyOf(tables);
  }
}
