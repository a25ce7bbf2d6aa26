package io.lockstep.bench.variant;

import io.lockstep.bench.variant.DeviceComponents.Pair;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Freshness;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.codec.RowCodec;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The paper's device manager (section VI-D): the source of each packet is found by its MAC address,
 * and the time at which it was last seen is replaced; an unknown one is created with its index
 * entries. Then the target is read. Pure: a chain of questions, as an application's decision.
 *
 * @param variant not {@link Variant#OWN}
 */
record DeviceVariant(Variant variant) {
  /** How old devices from the cache may be; the store refuses what was decided on an old source. */
  static final long STALENESS_MILLIS = 1_000;

  /**
   * What a packet came to.
   *
   * @param isNew whether the source was unknown
   * @param number of the source
   * @param target null where it is unknown, or the packet is to a group
   */
  record Outcome(boolean isNew, Bytes number, @Nullable DeviceRecord target) {}

  /** One packet and what comes then. */
  private record Question(
      DevicePacket packet, Function<Outcome, Decision> then, Attempts attempts) {
    Question next() {
      return new Question(packet, then, attempts.next());
    }

    Decision answer(boolean isNew, Bytes number, @Nullable DeviceRecord target) {
      return attempts.counting(then.apply(new Outcome(isNew, number, target)));
    }
  }

  /**
   * Does in the store what a packet asks for.
   *
   * @param then with what it came to; not called where the store gave no answer, or changes of
   *     others were in the way too often
   */
  Decision packetIn(DevicePacket packet, Function<Outcome, Decision> then) {
    return begin(new Question(packet, then, Attempts.FIRST), STALENESS_MILLIS);
  }

  private Decision begin(Question question, long stalenessMillis) {
    DevicePacket packet = question.packet();
    if (variant.has(Variant.MICRO)) {
      return new Decision.Ask(
          DeviceComponents.findBoth(packet.sourceKey(), packet.targetKey()),
          variant == Variant.CACHE ? Freshness.within(stalenessMillis) : Freshness.EXACT,
          reply -> both(question, Pair.of(reply)));
    }
    return read(
        packet.sourceKey(),
        DeviceRecord.SOURCE_COLUMNS,
        source -> source == null ? create(question) : seen(question, source));
  }

  private Decision again(Question question) {
    return question.attempts().mayRetry()
        ? begin(question.next(), 0)
        : question.attempts().giveUp();
  }

  // ---- one device by its MAC address ----

  private Decision read(
      Bytes mac, List<String> columns, Function<@Nullable DeviceRecord, Decision> then) {
    if (mac.length() == 0) {
      return then.apply(null);
    }
    if (!variant.has(Variant.CREF)) {
      return new Decision.Ask(
          new Command.Get(DeviceRecord.MACS, mac),
          reply ->
              reply instanceof Reply.Found number
                  ? byNumber(number.value(), then)
                  : then.apply(null));
    }
    List<String> wanted = variant.has(Variant.COLS) ? columns : List.of();
    return new Decision.Ask(
        new Command.GetThrough(DeviceRecord.MACS, mac, wanted),
        reply -> {
          if (!(reply instanceof Reply.Resolved found) || found.entries().isEmpty()) {
            return then.apply(null);
          }
          Entry device = found.entries().get(0);
          return then.apply(
              new DeviceRecord(device.key(), device.version(), RowCodec.decode(device.value())));
        });
  }

  private static Decision byNumber(Bytes number, Function<@Nullable DeviceRecord, Decision> then) {
    return new Decision.Ask(
        new Command.Get(DeviceRecord.DEVICES, number),
        reply ->
            then.apply(
                reply instanceof Reply.Found found
                    ? new DeviceRecord(number, found.version(), RowCodec.decode(found.value()))
                    : null));
  }

  private Decision target(Question question, boolean isNew, Bytes number) {
    return read(
        question.packet().targetKey(),
        DeviceRecord.TARGET_COLUMNS,
        target -> question.answer(isNew, number, target));
  }

  // ---- a known source ----

  private Decision seen(Question question, DeviceRecord source) {
    return new Decision.Ask(
        replace(source, question.packet().timeMillis()),
        reply ->
            BalancerVariant.isReplaced(reply)
                ? target(question, false, source.number())
                : again(question));
  }

  private Command replace(DeviceRecord source, long timeMillis) {
    if (variant.has(Variant.COLS)) {
      Row seen = Row.of(Map.of(DeviceRecord.SEEN, DeviceRecord.time(timeMillis)));
      return new Command.ReplaceColumns(
          DeviceRecord.DEVICES, source.number(), source.version(), seen);
    }
    Bytes now = RowCodec.encode(source.seenAt(timeMillis));
    return variant.has(Variant.VERS)
        ? new Command.Replace(DeviceRecord.DEVICES, source.number(), source.version(), now)
        : ReplaceByValue.command(
            DeviceRecord.DEVICES, source.number(), RowCodec.encode(source.row()), now);
  }

  // ---- an unknown source ----

  private Decision create(Question question) {
    return new Decision.Ask(
        new Command.Increment(DeviceRecord.NUMBERS, DeviceRecord.NEXT, 1),
        reply ->
            reply instanceof Reply.Counter counter
                ? create(question, DeviceRecord.number(counter.value()))
                : Decision.DROP);
  }

  private Decision create(Question question, Bytes number) {
    DevicePacket packet = question.packet();
    Command device = DeviceRecord.put(variant, number, DeviceRecord.columns(packet));
    Command mac = new Command.Put(DeviceRecord.MACS, packet.sourceKey(), number);
    return new Decision.Ask(
        device,
        made ->
            made instanceof Reply.Applied
                ? new Decision.Ask(
                    mac,
                    reply ->
                        reply instanceof Reply.Applied ? index(question, number) : Decision.DROP)
                : Decision.DROP);
  }

  /** Adds the device to those of its IP address; begins again here where another one did. */
  private Decision index(Question question, Bytes number) {
    if (question.packet().sourceIp() == 0) {
      return target(question, true, number);
    }
    Bytes key = DeviceRecord.ipKey(question.packet().sourceIp());
    return new Decision.Ask(
        new Command.Get(DeviceRecord.IPS, key),
        before ->
            new Decision.Ask(
                indexed(key, before, number),
                reply -> {
                  if (BalancerVariant.isReplaced(reply)) {
                    return target(question, true, number);
                  }
                  return question.attempts().mayRetry()
                      ? index(question.next(), number)
                      : question.attempts().giveUp();
                }));
  }

  private Command indexed(Bytes key, Reply before, Bytes number) {
    if (!(before instanceof Reply.Found found)) {
      return new Command.PutIfAbsent(
          DeviceRecord.IPS, key, DeviceRecord.with(Bytes.empty(), number));
    }
    Bytes now = DeviceRecord.with(found.value(), number);
    return variant.has(Variant.VERS)
        ? new Command.Replace(DeviceRecord.IPS, key, found.version(), now)
        : ReplaceByValue.command(DeviceRecord.IPS, key, found.value(), now);
  }

  // ---- micro components ----

  private Decision both(Question question, @Nullable Pair found) {
    if (found == null) {
      return Decision.DROP;
    }
    DevicePacket packet = question.packet();
    DeviceRecord source = found.source();
    if (source == null) {
      return new Decision.Ask(
          DeviceComponents.create(
              packet.sourceKey(), packet.sourceIp(), DeviceRecord.columns(packet)),
          reply -> created(question, found, reply));
    }
    Command seen =
        variant == Variant.CACHE
            ? DeviceComponents.seenAt(source.number(), source.version(), packet.timeMillis())
            : DeviceComponents.seen(source.number(), packet.timeMillis());
    return new Decision.Ask(
        seen,
        reply -> {
          if (!(reply instanceof Reply.Returned)) {
            return Decision.DROP;
          }
          return DeviceComponents.isOutdated(reply)
              ? again(question)
              : question.answer(false, source.number(), found.target());
        });
  }

  private Decision created(Question question, Pair found, Reply reply) {
    if (!(reply instanceof Reply.Returned returned)) {
      return Decision.DROP;
    }
    return DeviceComponents.isOutdated(reply)
        ? again(question)
        : question.answer(true, returned.result(), found.target());
  }
}
