package io.lockstep.deploy.node;

import io.lockstep.core.audit.AuditEntry;
import io.lockstep.core.audit.AuditTrail;
import io.lockstep.deploy.admin.AuditDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Failure;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The audit trail of the store for the admin HTTP. Thread-safe. */
final class NodeAudit implements AuditDoor {
  private static final BoundedLog log = BoundedLog.of(NodeAudit.class);

  private final String node;
  private final AuditTrail trail;

  /** The trail, and the node through which changes come. */
  NodeAudit(String node, AuditTrail trail) {
    this.node = node;
    this.trail = trail;
  }

  /** The body of an answer that is not what was asked for. */
  record Refused(String error, String remedy) {}

  @Override
  public CompletableFuture<?> changed(Change change) {
    AuditEntry entry =
        new AuditEntry(
            0,
            node,
            change.user(),
            change.method(),
            change.path(),
            change.status(),
            change.oldVersion(),
            change.newVersion());
    Consumer<String> failed =
        why ->
            log.warn(
                node,
                "{}: a change is not in the audit trail: {} {} by {}: {}",
                node,
                entry.method(),
                entry.path(),
                entry.user(),
                why);
    return trail
        .append(entry)
        .thenAccept(outcome -> outcome.handle(result -> result.ifDone(key -> {}, failed), failed));
  }

  @Override
  public CompletableFuture<Answer> page(Map<String, String> query) {
    long behind;
    try {
      behind = Long.parseUnsignedLong(query.getOrDefault("next", "0"));
    } catch (NumberFormatException wrong) {
      return CompletableFuture.completedFuture(
          new Answer(
              400, new Refused("next: no page ended with that", "give what the page before says")));
    }
    return trail
        .page(behind)
        .thenApply(result -> result.fold(page -> new Answer(200, page), NodeAudit::notRead));
  }

  private static Answer notRead(Failure failure) {
    return new Answer(503, new Refused(failure.reason(), "see ./lockstep status"));
  }
}
