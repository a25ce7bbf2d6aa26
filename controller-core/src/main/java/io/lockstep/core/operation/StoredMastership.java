package io.lockstep.core.operation;

import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.DrainTable;
import io.lockstep.core.cluster.DrainedNode;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.mastership.DomainRecord;
import io.lockstep.core.mastership.DomainTable;
import io.lockstep.core.mastership.Move;
import io.lockstep.core.mastership.MoveTable;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Page;
import io.lockstep.store.typed.ReadResult;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.Versioned;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the store has of masters, moves and drains, read linearizably; each part for itself, so a
 * change carries the versions of all that it was decided on. Thread-safe.
 */
final class StoredMastership {
  /** Rows of one page: more than there are domains, those that went away included. */
  private static final int MOST = 10_000;

  static final TableDef<String, StoredDomains> DOMAINS = def(DomainsTable.NAME, new DomainsTable());
  static final TableDef<String, DomainRecord> MASTERS = def(DomainTable.NAME, new DomainTable());
  static final TableDef<String, Move> MOVES = def(MoveTable.NAME, new MoveTable());
  static final TableDef<String, List<DrainedNode>> DRAINS = def(DrainTable.NAME, new DrainTable());

  private final Store store;

  StoredMastership(Store store) {
    this.store = store;
  }

  static <V> TableDef<String, V> def(String name, RecordCodec<String, V> codec) {
    return TableDef.of(
        name,
        Codec.of(codec::encodeKey, codec::decodeKey),
        Codec.of(codec::encodeValue, codec::decodeValue));
  }

  /**
   * Everything.
   *
   * @param domains in force; null before the first version
   * @param drains null where no node was ever drained
   */
  record Snapshot(
      @Nullable Versioned<StoredDomains> domains,
      Map<String, Versioned<DomainRecord>> masters,
      Map<String, Versioned<Move>> moves,
      @Nullable Versioned<List<DrainedNode>> drains) {

    /** The domains in force. */
    DomainMap map() {
      return domains == null ? DomainMap.EMPTY : domains.value().map();
    }

    long domainsVersion() {
      return version(domains);
    }

    long mastersVersion(String domain) {
      return version(masters.get(domain));
    }

    long movesVersion(String domain) {
      return version(moves.get(domain));
    }

    long drainsVersion() {
      return version(drains);
    }

    List<DrainedNode> drained() {
      return drains == null ? List.of() : drains.value();
    }

    private static long version(@Nullable Versioned<?> entry) {
      return entry == null ? 0 : entry.version();
    }
  }

  /** Reads everything; fails with {@link NotRead} where a part cannot be read. */
  CompletableFuture<Snapshot> read() {
    var domains = store.table(DOMAINS).get(DomainsTable.CURRENT);
    var masters = store.table(MASTERS).page(MOST);
    var moves = store.table(MOVES).page(MOST);
    var drains = store.table(DRAINS).get(DrainTable.KEY);
    return CompletableFuture.allOf(domains, masters, moves, drains)
        .thenApply(
            done ->
                new Snapshot(
                    one(domains.join()),
                    all(masters.join()),
                    all(moves.join()),
                    one(drains.join())));
  }

  static <V> @Nullable Versioned<V> one(ReadResult<Optional<Versioned<V>>> read) {
    return value(read).orElse(null);
  }

  private static <V> Map<String, Versioned<V>> all(ReadResult<Page<String, V>> read) {
    Map<String, Versioned<V>> all = new TreeMap<>();
    all.putAll(value(read).readable());
    return all;
  }

  static <T> T value(ReadResult<T> read) {
    return read.fold(
        value -> value,
        failure -> {
          throw new NotRead(failure.message());
        });
  }

  /** The store did not answer, or has what this release cannot read. */
  static final class NotRead extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotRead(String why) {
      super(why, null, false, false);
    }
  }
}
