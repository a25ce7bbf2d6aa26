package io.lockstep.core.path;

import io.lockstep.core.path.ModelStore.Intent;
import io.lockstep.core.path.ModelStore.Said;
import io.lockstep.core.path.ModelStore.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A switch of a model, with its channels to the nodes: flow-mods and answers take any time, and
 * those of one connection keep their order. A role request with a newer generation shuts out what
 * an old master sent.
 */
final class ModelSwitch {
  final long dpid;

  /** Whether the switch refuses to set a tag. */
  boolean refusesTags;

  /** Whether the switch refuses rules for packets with a tag. */
  boolean refusesInner;

  /** The switch's table, by the tag of what comes. */
  final Map<Integer, SlotRule> entries = new HashMap<>();

  /** The node that masters it, according to the store; -1 where none does. */
  int master = -1;

  long epoch;
  private long generation;
  private final List<Channel> channels = new ArrayList<>();
  private @Nullable Mastership mastership;

  /** One message of a master, or the answer to it. */
  private record Message(PathSlot slot, @Nullable Intent intent) {}

  private record Answer(PathSlot slot, Intent intent, boolean installed) {}

  /** What one master sent, in order; it may arrive after the master's end. */
  private static final class Channel {
    final long epoch;
    final Deque<Message> toSwitch = new ArrayDeque<>();
    final Deque<Answer> toNode = new ArrayDeque<>();

    Channel(long epoch) {
      this.epoch = epoch;
    }
  }

  /** What a living master knows of its switch. */
  private static final class Mastership {
    final Channel channel;
    final Map<PathSlot, Long> sent = new HashMap<>();
    int waiting;

    Mastership(Channel channel) {
      this.channel = channel;
    }
  }

  ModelSwitch(long dpid) {
    this.dpid = dpid;
  }

  /** A node becomes the master, in the next epoch. */
  void masteredBy(int node) {
    master = node;
    epoch++;
    Channel channel = new Channel(epoch);
    channel.toSwitch.add(new Message(new PathSlot(dpid, 0), null)); // the role request
    channels.add(channel);
    mastership = new Mastership(channel);
  }

  /** Its node died: answers are not heard any more, flow-mods still arrive. */
  void masterDied() {
    master = -1;
    mastership = null;
  }

  /** The master sends what its view of the store asks for; one batch at a time. */
  void send(Snapshot view) {
    Mastership here = mastership;
    if (here == null || here.waiting > 0) {
      return;
    }
    view.intents()
        .forEach(
            (slot, intent) -> {
              boolean due = intent.remove() || view.present(slot) == null;
              Long sent = here.sent.get(slot);
              if (slot.dpid() == dpid && due && (sent == null || sent != intent.version())) {
                here.sent.put(slot, intent.version());
                here.channel.toSwitch.add(new Message(slot, intent));
                here.waiting++;
              }
            });
  }

  /** One message arrives: at the switch, or at the node. False where none is on its way. */
  boolean deliver(ModelStore store, Random random) {
    List<Channel> busy =
        channels.stream().filter(c -> !c.toSwitch.isEmpty() || !c.toNode.isEmpty()).toList();
    if (busy.isEmpty()) {
      return false;
    }
    Channel channel = busy.get(random.nextInt(busy.size()));
    Mastership here = mastership;
    if (!channel.toSwitch.isEmpty() && (channel.toNode.isEmpty() || random.nextBoolean())) {
      arriveAtSwitch(channel, channel.toSwitch.remove());
    } else {
      Answer answer = channel.toNode.remove();
      if (here != null && here.channel == channel) {
        here.waiting--;
        report(store, answer);
      }
    }
    return true;
  }

  private void arriveAtSwitch(Channel channel, Message message) {
    Intent intent = message.intent();
    if (intent == null) {
      generation = Math.max(generation, channel.epoch);
    } else if (channel.epoch >= generation) {
      int tag = message.slot().tag();
      boolean refuses =
          !intent.remove()
              && ((refusesTags && tag == 0 && intent.rule().nextTag() != 0)
                  || (refusesInner && tag != 0));
      if (intent.remove()) {
        entries.remove(tag);
      } else if (!refuses) {
        entries.put(tag, intent.rule());
      }
      channel.toNode.add(new Answer(message.slot(), intent, !refuses));
    }
  }

  /** The fenced write: this node is still the master in this epoch. */
  private static void report(ModelStore store, Answer answer) {
    Intent intent = answer.intent();
    if (intent.remove()) {
      store.forget(answer.slot(), intent.version());
    } else {
      store.said(answer.slot(), new Said(intent.version(), answer.installed()));
    }
  }
}
