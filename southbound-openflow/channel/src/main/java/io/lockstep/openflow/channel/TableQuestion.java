package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.TableClaims;
import io.lockstep.openflow.channel.translate.TableFeaturesPart;
import io.lockstep.openflow.channel.translate.TableStats10;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * The question of a handshake what a switch's tables hold, and the parts of its answer. Owned by
 * the event loop.
 */
final class TableQuestion {
  /** A switch with more tables is not asked: they are no hardware's, and the answer is long. */
  static final int MOST_TABLES = 64;

  private final List<TableClaims.Table> tables = new ArrayList<>();
  private boolean rewrites;

  /** Why a switch with so many tables is not asked; null where it is. */
  static @Nullable String whyNot(int tables) {
    return tables < 1 || tables > MOST_TABLES
        ? "it says that it has " + tables + " tables, so it was not asked"
        : null;
  }

  /** Table features with an empty body ask (section 7.3.5.5); 1.0 has only statistics. */
  static OFMessage request(OFFactory factory, long xid) {
    return factory.getVersion() == OFVersion.OF_10
        ? factory.buildTableStatsRequest().setXid(xid).build()
        : factory.buildTableFeaturesStatsRequest().setXid(xid).setEntries(List.of()).build();
  }

  /** Takes a part of the answer; the claims, once it is whole. */
  @Nullable TableClaims answered(TableFeaturesPart part) {
    if (!part.wrong().isEmpty()) {
      return TableClaims.none(part.wrong());
    }
    tables.addAll(part.tables());
    rewrites |= part.rewrites();
    if (tables.size() > MOST_TABLES) {
      return TableClaims.none("it describes more than " + MOST_TABLES + " tables");
    }
    return part.more() ? null : TableClaims.of(tables).withRewrites(rewrites);
  }

  /** Takes the answer of OpenFlow 1.0. */
  static TableClaims answered(OFTableStatsReply reply) {
    return TableClaims.of(reply.getEntries().stream().map(TableStats10::claims).toList());
  }
}
