package io.lockstep.bench.variant;

import io.lockstep.apps.learningswitch.LearnAndForward;
import io.lockstep.apps.learningswitch.LearnInVlan;
import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.apps.loadbalancer.LoadBalancer;
import io.lockstep.apps.loadbalancer.state.TakeMember;
import io.lockstep.bench.compare.PaperTables;
import io.lockstep.bench.compare.PaperTables.PaperOperation;
import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event of a trace under the name that the paper gives it. It is found by what the event asked:
 * a trace has no frames. Two events of the learning switch in {@link Variant#CACHE} look like
 * others, since answers of the cache are in no trace: without any operation it is taken for {@code
 * ls-ucast}, with the write alone for {@code ls-bcast}.
 *
 * @param workload as the paper calls the event
 * @param event as it was recorded
 * @param operations without those of attempts that were refused
 * @param conflicts how often something changed meanwhile, so that operations were repeated
 */
public record WorkloadEvent(
    String workload, TracedEvent event, List<TracedOperation> operations, int conflicts) {
  private static final String PACKET_IN = "packet-in";

  /** The load balancer passes on what is not for a virtual IP. */
  private static final String PASSED_ON = "passed_on";

  public WorkloadEvent {
    operations = List.copyOf(operations);
  }

  /** The event under the paper's name; empty where the paper has none. */
  public static Optional<WorkloadEvent> of(TracedEvent event) {
    if (!event.kind().equals(PACKET_IN)) {
      return Optional.empty();
    }
    List<TracedOperation> accepted = new ArrayList<>();
    int conflicts = 0;
    for (TracedOperation operation : event.operations()) {
      if (!isRefused(operation)) {
        accepted.add(operation);
      } else {
        conflicts++;
        takeBack(accepted);
      }
    }
    String workload = workload(event, accepted);
    return workload == null
        ? Optional.empty()
        : Optional.of(new WorkloadEvent(workload, event, accepted, conflicts));
  }

  /** The types of the operations, in order: true for a write. */
  public List<Boolean> types() {
    return operations.stream().map(operation -> !operation.isRead()).toList();
  }

  /** The types that the paper's tables have for a workload, in order: true for a write. */
  public static List<Boolean> typesInThePaper(String workload, Variant variant) {
    return PaperTables.operations(workload, variant.label()).stream()
        .map(PaperOperation::isWrite)
        .toList();
  }

  /**
   * Whether it has all operations of the paper's table. It lacks some where the paper has brackets,
   * or where a cache answered.
   *
   * @param variant not {@link Variant#OWN}
   */
  public boolean isWhole(Variant variant) {
    return types().equals(typesInThePaper(workload, variant));
  }

  /** Whether all attempts were refused, so that the packet was dropped. */
  public boolean isGivenUp() {
    return conflicts == Attempts.MOST;
  }

  // ---- which workload ----

  /**
   * The paper's name of an event.
   *
   * @param accepted says what the device manager did in the end: a device that was created
   *     meanwhile is known in the next attempt
   */
  private static @Nullable String workload(TracedEvent event, List<TracedOperation> accepted) {
    List<TracedOperation> asked = event.operations();
    return switch (event.application()) {
      case LearningSwitch.NAME -> learning(asked);
      case LoadBalancer.NAME -> event.outcome().equals(PASSED_ON) ? null : balancing(asked);
      case PaperDevices.NAME -> managing(accepted.isEmpty() ? asked : accepted);
      default -> null;
    };
  }

  private static @Nullable String learning(List<TracedOperation> asked) {
    if (asked.isEmpty()) {
      return "ls-ucast";
    }
    TracedOperation first = asked.get(0);
    if (first.command() instanceof Command.Call call) {
      return switch (call.component()) {
        case LearnInVlan.NAME -> LearnInVlan.isToGroup(call.argument()) ? "ls-bcast" : "ls-ucast";
        case LearnAndForward.NAME -> "ls-ucast";
        default -> null;
      };
    }
    if (!first.target().equals(LearningVariant.TABLE)) {
      return null;
    }
    return asked.stream().anyMatch(TracedOperation::isRead) ? "ls-ucast" : "ls-bcast";
  }

  private static @Nullable String balancing(List<TracedOperation> asked) {
    for (TracedOperation operation : asked) {
      switch (operation.target()) {
        case BalancedService.POOLS, TakeTurn.NAME, TakeMember.NAME -> {
          return "lb-vip";
        }
        default -> {}
      }
    }
    return asked.isEmpty() || asked.get(0).target().equals(BalancedService.IPS) ? "lb-arp" : null;
  }

  private static @Nullable String managing(List<TracedOperation> asked) {
    for (TracedOperation operation : asked) {
      switch (operation.target()) {
        case DeviceRecord.NUMBERS, DeviceComponents.CREATE -> {
          return "dm-unknown";
        }
        default -> {}
      }
    }
    return asked.isEmpty() ? null : "dm-known";
  }

  // ---- what was tried in vain ----

  /** Whether something had changed meanwhile, so that nothing was written. */
  private static boolean isRefused(TracedOperation operation) {
    Reply reply = operation.reply();
    if (reply instanceof Reply.Conflict) {
      return true;
    }
    if (!(operation.command() instanceof Command.Call call)
        || !(reply instanceof Reply.Returned returned)) {
      return false;
    }
    return switch (call.component()) {
      case ReplaceByValue.NAME -> !ReplaceByValue.isReplaced(returned.result());
      case TakeTurn.NAME -> TakeTurn.Taken.isOutdated(reply);
      case DeviceComponents.SEEN, DeviceComponents.SEEN_AT, DeviceComponents.CREATE ->
          DeviceComponents.isOutdated(reply);
      default -> false;
    };
  }

  /** A pool and an index are read again before the next attempt, all else begins anew. */
  private static void takeBack(List<TracedOperation> accepted) {
    int last = accepted.size() - 1;
    String read = last < 0 ? "" : accepted.get(last).target();
    if (read.equals(BalancedService.POOLS) || read.equals(DeviceRecord.IPS)) {
      accepted.remove(last);
    } else {
      accepted.clear();
    }
  }
}
