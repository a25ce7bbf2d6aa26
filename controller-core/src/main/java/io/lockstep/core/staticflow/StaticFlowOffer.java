package io.lockstep.core.staticflow;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.text.FlowTextException;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceAnswer.Reason;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.core.state.TableView;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.core.staticflow.StaticFlowFields.WrongField;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Guard;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code flows}. A change is one operation of the store: the row of the flow, under
 * the version that it was decided on, and the intentions for its rule. Thread-safe.
 */
final class StaticFlowOffer implements ResourceOffer {
  /** Static flows of a cluster at most, as far as the asked node knows. */
  static final int MAX_FLOWS = 10_000;

  private static final StaticFlowTable FLOWS = new StaticFlowTable();

  private final TableView<String, StaticFlow> flows;
  private final RoomRules rules;
  private final StoreClient store;
  private final BiConsumer<Long, Runnable> whenVisible;

  /**
   * The resource over a node's views.
   *
   * @param whenVisible runs a task when the views show a version, or a little later without it
   */
  StaticFlowOffer(
      TableView<String, StaticFlow> flows,
      RoomRules rules,
      StoreClient store,
      BiConsumer<Long, Runnable> whenVisible) {
    this.flows = flows;
    this.rules = rules;
    this.store = store;
    this.whenVisible = whenVisible;
  }

  @Override
  public ResourceDescription description() {
    return StaticFlowFields.DESCRIPTION;
  }

  @Override
  public CompletableFuture<ResourceAnswer> list() {
    List<ResourceItem> items = new ArrayList<>();
    flows.entries().forEach((id, held) -> items.add(item(id, held)));
    items.sort(java.util.Comparator.comparing(ResourceItem::id));
    return CompletableFuture.completedFuture(new ResourceAnswer.Items(items, true));
  }

  @Override
  public CompletableFuture<ResourceAnswer> show(String id) {
    Held<StaticFlow> held = flows.held(id);
    return CompletableFuture.completedFuture(
        new ResourceAnswer.Items(held == null ? List.of() : List.of(item(id, held)), true));
  }

  private ResourceItem item(String id, Held<StaticFlow> held) {
    StaticFlow flow = held.value();
    long ruleId = flow.ruleId(id);
    RoomRules.Known known = rules.known(flow.dpid(), ruleId);
    boolean isTemporary = flow.idleSeconds() > 0 || flow.hardSeconds() > 0;
    String state =
        known.state() == RoomRules.State.ABSENT
            ? isTemporary ? "expired" : "removed"
            : known.state().name().toLowerCase(Locale.ROOT);
    return new ResourceItem(
        id,
        held.version(),
        StaticFlowFields.values(flow),
        ResourceValues.builder()
            .text("state", state)
            .text("error", known.error())
            .text("rule", "0x" + HexFormat.of().toHexDigits(ruleId))
            .build());
  }

  @Override
  public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
    try {
      if (change instanceof ResourceChange.Add add) {
        return add(add.id(), StaticFlowFields.flow(add.fields()));
      } else if (change instanceof ResourceChange.Set set) {
        return set(set.id(), set.version(), StaticFlowFields.flow(set.fields()));
      }
      return remove(change.id(), ((ResourceChange.Remove) change).version());
    } catch (WrongField e) {
      return now(e.invalid());
    }
  }

  private CompletableFuture<ResourceAnswer> add(String id, StaticFlow flow) {
    ResourceResult objection = objection(id, flow);
    if (objection == null && !flows.entries().containsKey(id) && flows.size() >= MAX_FLOWS) {
      objection =
          new ResourceResult.Conflict(
              "", "there are " + MAX_FLOWS + " static flows already", "remove some");
    }
    if (objection != null) {
      return now(objection);
    }
    return submit(id, 0, List.of(put(id, flow), RoomRules.put(rule(id, flow), flow.displaceable())))
        .thenApply(answer -> asBefore(answer, id, flow));
  }

  /** To add the same flow again changes nothing and is done, so that a client may repeat it. */
  private ResourceAnswer asBefore(ResourceAnswer answer, String id, StaticFlow flow) {
    Held<StaticFlow> held = flows.held(id);
    boolean isSame =
        answer instanceof ResourceAnswer.Changed changed
            && changed.result() instanceof ResourceResult.Exists exists
            && held != null
            && held.version() == exists.version()
            && held.value().equals(flow);
    return isSame && held != null
        ? new ResourceAnswer.Changed(new ResourceResult.Done(held.version()))
        : answer;
  }

  private CompletableFuture<ResourceAnswer> set(String id, long version, StaticFlow flow) {
    ResourceResult objection = objection(id, flow);
    Held<StaticFlow> held = flows.held(id);
    if (objection != null) {
      return now(objection);
    }
    if (held == null || held.version() != version) {
      return now(differs(held));
    }
    List<Command> commands = new ArrayList<>(List.of(put(id, flow)));
    StaticFlow old = held.value();
    if (old.dpid() != flow.dpid() || old.ruleId(id) != flow.ruleId(id)) {
      commands.add(RoomRules.remove(rule(id, old)));
    }
    commands.add(RoomRules.put(rule(id, flow), flow.displaceable()));
    return submit(id, version, commands);
  }

  private CompletableFuture<ResourceAnswer> remove(String id, long version) {
    Held<StaticFlow> held = flows.held(id);
    if (held == null || held.version() != version) {
      return now(differs(held));
    }
    StaticFlow flow = held.value();
    List<Command> commands = new ArrayList<>();
    commands.add(new Command.Remove(StaticFlowTable.NAME, FLOWS.encodeKey(id)));
    if (rules.known(flow.dpid(), flow.ruleId(id)).state() != RoomRules.State.ABSENT) {
      commands.add(RoomRules.remove(rule(id, flow)));
    }
    return submit(id, version, commands);
  }

  private static Command put(String id, StaticFlow flow) {
    return new Command.Put(StaticFlowTable.NAME, FLOWS.encodeKey(id), FLOWS.encodeValue(flow));
  }

  private static org.onosproject.net.flow.FlowRule rule(String id, StaticFlow flow) {
    try {
      return flow.rule(id);
    } catch (FlowTextException e) {
      throw new IllegalStateException("a flow that was checked is no rule: " + e.error(), e);
    }
  }

  private static ResourceResult differs(@Nullable Held<StaticFlow> held) {
    return held == null
        ? new ResourceResult.Missing()
        : new ResourceResult.Outdated(held.version());
  }

  /** Another flow that would be the same entry of the switch. */
  private @Nullable ResourceResult objection(String id, StaticFlow flow) {
    for (Map.Entry<String, Held<StaticFlow>> entry : flows.entries().entrySet()) {
      StaticFlow other = entry.getValue().value();
      if (!entry.getKey().equals(id) && other.isSameEntry(flow)) {
        return new ResourceResult.Conflict(
            "match",
            "flow "
                + entry.getKey()
                + " has the same switch, table, priority and match: a switch keeps one of them",
            "change that flow, or give another priority or match");
      }
    }
    return null;
  }

  private CompletableFuture<ResourceAnswer> submit(
      String id, long version, List<Command> commands) {
    Bytes key = FLOWS.encodeKey(id);
    Guard guard = new Guard(StaticFlowTable.NAME, key, version);
    return store
        .submit(new Command.Batch(List.of(guard), commands))
        .thenApply(reply -> answer(reply, version));
  }

  private ResourceAnswer answer(Reply reply, long version) {
    if (reply instanceof Reply.Batched batched) {
      CompletableFuture<Void> shown = new CompletableFuture<>();
      whenVisible.accept(batched.version(), () -> shown.complete(null));
      return new ResourceAnswer.Changed(new ResourceResult.Done(batched.version()), shown);
    }
    if (reply instanceof Reply.BatchRefused refused && refused.position() == 0) {
      if (refused.reply() instanceof Reply.Conflict conflict) {
        return new ResourceAnswer.Changed(
            version == 0
                ? new ResourceResult.Exists(conflict.version())
                : new ResourceResult.Outdated(conflict.version()));
      }
      return new ResourceAnswer.Changed(new ResourceResult.Missing());
    }
    boolean isUnknown = reply instanceof Reply.Unknown;
    return new ResourceAnswer.Refused(
        isUnknown ? Reason.LATE : Reason.NOT_NOW,
        isUnknown
            ? "whether it was changed is not known: " + ReplyWords.of(reply)
            : "nothing was changed: " + ReplyWords.of(reply),
        "see ./lockstep status");
  }

  private static CompletableFuture<ResourceAnswer> now(ResourceResult result) {
    return CompletableFuture.completedFuture(new ResourceAnswer.Changed(result));
  }
}
