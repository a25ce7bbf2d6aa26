package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.ChangeHints;
import io.netty.buffer.ByteBuf;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;

/**
 * A client's side of the hints that replicas give over the network: it asks each replica that it is
 * connected to, so the loss of one loses none. Hints come while one replica at least has said so.
 *
 * <p>Owned by the client's loop, but for {@link #follow} and {@link #given}.
 */
final class RemoteHints implements ChangeHints {
  private record Follower(Set<String> tables, LongConsumer hint) {}

  private final Executor loop;
  private final List<ReplicaChannel> channels;
  private final CopyOnWriteArrayList<Follower> followers = new CopyOnWriteArrayList<>();

  /** The replicas that give hints, a bit for each. */
  private volatile int giving;

  /**
   * @param channels read on the loop
   */
  RemoteHints(Executor loop, List<ReplicaChannel> channels) {
    this.loop = loop;
    this.channels = channels;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException where all that is followed through this client is more than
   *     {@value FollowFrame#MAX_TABLES} tables, or a name is none
   */
  @Override
  public Following follow(Collection<String> tables, LongConsumer hint) {
    Follower follower = new Follower(Set.copyOf(tables), hint);
    FollowFrame.of(union(follower));
    followers.add(follower);
    onLoop();
    return () -> {
      followers.remove(follower);
      onLoop();
    };
  }

  @Override
  public boolean given() {
    return giving != 0;
  }

  private void onLoop() {
    try {
      loop.execute(() -> channels.forEach(this::ask));
    } catch (RejectedExecutionException closed) {
      // The client is closed, so no hints come.
    }
  }

  private Set<String> union(Follower... more) {
    Set<String> all = new TreeSet<>();
    followers.forEach(follower -> all.addAll(follower.tables()));
    List.of(more).forEach(follower -> all.addAll(follower.tables()));
    return all;
  }

  /** A connection to a replica is up. */
  void connected(ReplicaChannel channel) {
    ask(channel);
  }

  /** A connection to a replica has ended. */
  void lost(ReplicaChannel channel) {
    giving &= ~channel.bit();
  }

  private void ask(ReplicaChannel channel) {
    Set<String> tables = union();
    if (channel.givesHints() && !tables.isEmpty()) {
      ByteBuf out = channel.buffer();
      FollowFrame.of(tables).encode(out);
      channel.write(out);
    }
  }

  /** Takes a hint; false where the frame is none. */
  boolean take(int replica, ByteBuf frame) {
    HintFrame hint = HintFrame.decode(frame);
    if (hint == null) {
      return false;
    }
    giving |= 1 << replica;
    followers.forEach(follower -> follower.hint().accept(hint.index()));
    return true;
  }
}
