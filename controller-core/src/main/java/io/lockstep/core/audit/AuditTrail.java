package io.lockstep.core.audit;

import io.lockstep.store.typed.Page;
import io.lockstep.store.typed.ReadResult;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.Versioned;
import io.lockstep.store.typed.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Appends to the audit trail and reads it. Thread-safe; futures complete normally, on the store
 * client's loop.
 */
public final class AuditTrail {
  /** Entries of one page. */
  public static final int PAGE = 500;

  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final Store store;

  /** The trail in a node's store. */
  public AuditTrail(Store store) {
    this.store = store.within(DEADLINE);
  }

  /**
   * Some entries, oldest first.
   *
   * @param next where to go on; null where these are the last
   */
  public record Entries(List<AuditEntry> entries, @Nullable Long next) {
    public Entries {
      entries = List.copyOf(entries);
    }
  }

  /** Appends an entry; the store gives it its time. Completes with its key. */
  public CompletableFuture<WriteOutcome<Long>> append(AuditEntry entry) {
    return store.call(AppendAudit.COMPONENT, entry);
  }

  /**
   * A page of entries: one linearizable read.
   *
   * @param behind what the page before says; 0 to begin
   */
  public CompletableFuture<ReadResult<Entries>> page(long behind) {
    return store
        .table(AuditTables.DEF)
        .pageBehind(AuditTables.key(behind), PAGE)
        .thenApply(result -> result.map(AuditTrail::entries));
  }

  private static Entries entries(Page<Long, AuditEntry> page) {
    Long last = null;
    for (Long index : page.readable().keySet()) {
      last = index;
    }
    return new Entries(
        page.readable().values().stream().map(Versioned::value).toList(),
        page.more() ? last : null);
  }
}
