package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.openflow.channel.translate.Dialect;
import io.lockstep.openflow.channel.translate.UntranslatableException;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.EncoderException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Translates and sends flow-mods and remembers them until they are confirmed or forgotten, so that
 * errors find them. Owned by the event loop.
 */
final class FlowModSender {
  /** Flow-mods of one call. */
  static final int MAX_BATCH = 16_384;

  /** Flow-mods without a barrier that an error still finds. */
  static final int MAX_RECENT = 256;

  /** Flow-mods leave in buffers of about this size. */
  private static final int CHUNK_BYTES = 32 * 1024;

  private static final int TYPICAL_BYTES = 128;

  private final Peer peer;
  private final Dialect dialect;

  /** The last flow-mods sent without a barrier, in a ring: an old one makes room. */
  private final @Nullable FlowMod[] recent = new FlowMod[MAX_RECENT];

  private final int[] recentXids = new int[MAX_RECENT];
  private int nextRecent;
  private final ArrayDeque<ConfirmedFlowMods> unconfirmed = new ArrayDeque<>();

  FlowModSender(Peer peer, Dialect dialect) {
    this.peer = peer;
    this.dialect = dialect;
  }

  static void checkBatch(List<FlowMod> mods) {
    if (mods.size() > MAX_BATCH) {
      throw new IllegalArgumentException(mods.size() + " flow-mods > " + MAX_BATCH);
    }
  }

  /** Sends without confirmation; what cannot be translated goes to {@code refused}. */
  void send(List<FlowMod> mods, BiConsumer<FlowMod, String> refused) {
    int firstXid = peer.newXids(mods.size());
    for (int i = 0; i < mods.size(); i++) {
      remember(firstXid + i, mods.get(i));
    }
    write(
        mods,
        firstXid,
        (index, error) -> {
          FlowMod mod = takeRecent(firstXid + index);
          refused.accept(mod == null ? mods.get(index) : mod, error);
        });
  }

  /** Sends flow-mods that the barrier sent next confirms. */
  ConfirmedFlowMods sendConfirmed(
      List<FlowMod> mods, CompletableFuture<List<FlowModOutcome>> result) {
    int firstXid = peer.newXids(mods.size());
    ConfirmedFlowMods[] self = new ConfirmedFlowMods[1];
    ConfirmedFlowMods batch =
        new ConfirmedFlowMods(
            firstXid,
            mods.size(),
            result,
            outcomes -> {
              unconfirmed.remove(self[0]);
              peer.messages().confirmed(outcomes);
            });
    self[0] = batch;
    unconfirmed.add(batch);
    write(mods, firstXid, (index, error) -> batch.refuse(firstXid + index, error));
    return batch;
  }

  /** Records an error on a flow-mod that waits for its barrier; false where it is none. */
  boolean refuse(int xid, String error) {
    for (ConfirmedFlowMods batch : unconfirmed) {
      if (batch.refuse(xid, error)) {
        return true;
      }
    }
    return false;
  }

  private void remember(int xid, FlowMod mod) {
    recentXids[nextRecent] = xid;
    recent[nextRecent] = mod;
    nextRecent = (nextRecent + 1) % MAX_RECENT;
  }

  /** Takes out the flow-mod without a barrier that an error is about; null where it is not here. */
  @Nullable FlowMod takeRecent(int xid) {
    for (int i = 0; i < MAX_RECENT; i++) {
      FlowMod mod = recent[i];
      if (recentXids[i] == xid && mod != null) {
        recent[i] = null;
        return mod;
      }
    }
    return null;
  }

  /** Hears which flow-mod of a batch was not sent, and why. */
  private interface Refusals {
    void refused(int index, String error);
  }

  private void write(List<FlowMod> mods, int firstXid, Refusals refusals) {
    ByteBuf chunk = null;
    for (int i = 0; i < mods.size(); i++) {
      if (chunk == null) {
        int left = mods.size() - i;
        chunk = peer.channel().alloc().buffer(Math.min(CHUNK_BYTES, left * TYPICAL_BYTES));
      }
      long xid = Integer.toUnsignedLong(firstXid + i);
      try {
        if (!dialect.writes(mods.get(i), xid, chunk)) {
          MessageEncoder.encode(dialect.flowMod(mods.get(i), xid), chunk);
        }
        peer.messages().flowMod(mods.get(i));
      } catch (UntranslatableException | EncoderException e) {
        refusals.refused(i, String.valueOf(e.getMessage()));
      }
      if (chunk.readableBytes() >= CHUNK_BYTES) {
        peer.write(chunk);
        chunk = null;
      }
    }
    if (chunk != null) {
      if (chunk.isReadable()) {
        peer.write(chunk);
      } else {
        chunk.release();
      }
    }
  }

  /** An outcome for each flow-mod or group-mod of which none was sent. */
  static List<FlowModOutcome> unsent(List<?> mods, String reason) {
    FlowModOutcome outcome = new FlowModOutcome.Unknown(reason);
    return mods.stream().map(mod -> outcome).toList();
  }
}
