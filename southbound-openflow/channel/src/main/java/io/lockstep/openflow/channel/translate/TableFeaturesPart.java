package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.TableClaims;
import java.util.List;

/**
 * One message of a table-features reply.
 *
 * @param more whether another one follows
 * @param rewrites whether a table of this message can set all fields that rewriting needs, or does
 *     not say what it can set
 * @param wrong what could not be read, for people; then there are no tables
 */
public record TableFeaturesPart(
    long xid, boolean more, List<TableClaims.Table> tables, boolean rewrites, String wrong) {
  public TableFeaturesPart {
    tables = List.copyOf(tables);
  }
}
