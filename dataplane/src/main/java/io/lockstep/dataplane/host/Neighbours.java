package io.lockstep.dataplane.host;

import io.lockstep.dataplane.packet.ArpMessage;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.wire.NetworkClock;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A host's ARP cache (RFC 826) with requests on the way. At most {@link #MAX_ENTRIES} addresses,
 * the oldest makes room; at most {@link #MAX_WAITING} waiters per address. Owned by the host's
 * loop.
 */
final class Neighbours {
  static final int MAX_ENTRIES = 1024;
  static final int MAX_WAITING = 64;

  private static final long VALID_NANOS = Duration.ofSeconds(60).toNanos();
  private static final long RETRY_NANOS = Duration.ofMillis(300).toNanos();
  private static final int MAX_REQUESTS = 10;

  private final Mac mac;
  private final Ipv4 address;
  private final EventExecutor loop;
  private final NetworkClock clock;
  private final Consumer<byte[]> out;
  private final Map<Ipv4, Known> known = new LinkedHashMap<>();
  private final Map<Ipv4, Question> questions = new LinkedHashMap<>();

  Neighbours(Mac mac, Ipv4 address, EventExecutor loop, NetworkClock clock, Consumer<byte[]> out) {
    this.mac = mac;
    this.address = address;
    this.loop = loop;
    this.clock = clock;
    this.out = out;
  }

  /** Calls back with the address's MAC, at once when it is cached; never when nobody answers. */
  void resolve(Ipv4 wanted, Consumer<Mac> whenKnown) {
    Known entry = known.get(wanted);
    if (entry != null && clock.nanos() - entry.sinceNanos < VALID_NANOS) {
      whenKnown.accept(entry.mac);
      return;
    }
    Question question = questions.get(wanted);
    if (question == null) {
      question = new Question();
      questions.put(wanted, question);
      ask(wanted, question);
    }
    if (question.waiters.size() < MAX_WAITING) {
      question.waiters.add(whenKnown);
    }
  }

  private void ask(Ipv4 wanted, Question question) {
    if (questions.get(wanted) != question) {
      return;
    }
    if (question.asked++ == MAX_REQUESTS) {
      questions.remove(wanted);
      return;
    }
    out.accept(ArpMessage.request(mac, address, wanted).encode());
    clock.schedule(loop, RETRY_NANOS, () -> ask(wanted, question));
  }

  /** Learns from an ARP packet and answers it when it asks for this host. */
  void receive(ArpMessage arp) {
    boolean forUs = arp.targetAddress().equals(address);
    if (forUs || known.containsKey(arp.senderAddress())) {
      learn(arp.senderAddress(), arp.senderMac());
    }
    boolean ours = arp.senderAddress().equals(address);
    if (forUs && !ours && arp.operation() == ArpMessage.REQUEST) {
      out.accept(arp.replyFrom(mac).encode());
    }
  }

  private void learn(Ipv4 neighbour, Mac neighbourMac) {
    known.remove(neighbour);
    if (known.size() == MAX_ENTRIES) {
      known.remove(known.keySet().iterator().next());
    }
    known.put(neighbour, new Known(neighbourMac, clock.nanos()));
    Question question = questions.remove(neighbour);
    if (question != null) {
      question.waiters.forEach(waiter -> waiter.accept(neighbourMac));
    }
  }

  /** The cached MAC, null when there is none or it is too old. */
  @Nullable Mac cached(Ipv4 neighbour) {
    Known entry = known.get(neighbour);
    return entry == null || clock.nanos() - entry.sinceNanos >= VALID_NANOS ? null : entry.mac;
  }

  private record Known(Mac mac, long sinceNanos) {}

  private static final class Question {
    final List<Consumer<Mac>> waiters = new ArrayList<>();
    int asked;
  }
}
