package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.ConfigOutcome;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.app.TableRange;
import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import org.jspecify.annotations.Nullable;

/** What the resources of the load balancer share: versions, ranges, and what replies mean. Pure. */
final class ConfigChanges {
  private static final String CHANGE_IT = "change the fields, and try again";

  private ConfigChanges() {}

  /** The version that a change was decided on, as {@link Configure} expects it. */
  static long expected(ResourceChange change) {
    if (change instanceof ResourceChange.Set set) {
      return set.version();
    }
    return change instanceof ResourceChange.Remove remove ? remove.version() : Configure.ABSENT;
  }

  /** The fields of a change; null where it removes. */
  static @Nullable ResourceValues fields(ResourceChange change) {
    if (change instanceof ResourceChange.Add add) {
      return add.fields();
    }
    return change instanceof ResourceChange.Set set ? set.fields() : null;
  }

  /** The whole table, or only the entry with this name. */
  static TableRange range(String table, @Nullable String name) {
    // No name has a blank, and all that may follow in one is above it.
    return name == null
        ? TableRange.all(table)
        : new TableRange(table, Bytes.utf8(name), Bytes.utf8(name + ' '));
  }

  /** What became of a change. */
  static ResourceResult of(Reply reply) {
    ConfigOutcome outcome = ConfigOutcome.of(reply);
    if (outcome == null) {
      String why =
          reply instanceof Reply.Rejected rejected ? rejected.message() : "it gave no outcome";
      return new ResourceResult.Invalid("", "the store refused it: " + why, CHANGE_IT);
    }
    return switch (outcome.kind()) {
      case DONE -> new ResourceResult.Done(outcome.version());
      case NOT_FOUND -> new ResourceResult.Missing();
      case EXISTS -> new ResourceResult.Exists(outcome.version());
      case OTHER_VERSION -> new ResourceResult.Outdated(outcome.version());
      case IN_USE, FULL ->
          new ResourceResult.Conflict(
              "", problem("", outcome.problem()), remedy(outcome.problem()));
      case INVALID ->
          new ResourceResult.Invalid(
              outcome.field(),
              problem(outcome.field(), outcome.problem()),
              remedy(outcome.problem()));
    };
  }

  /** What is wrong, without the remedy that stands behind a semicolon. */
  private static String problem(String field, String text) {
    int end = text.lastIndexOf("; ");
    return (field.isEmpty() ? "" : field + ": ") + (end < 0 ? text : text.substring(0, end));
  }

  private static String remedy(String text) {
    int end = text.lastIndexOf("; ");
    return end < 0 ? CHANGE_IT : text.substring(end + 2);
  }
}
