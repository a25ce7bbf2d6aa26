package io.lockstep.bench.variant;

import io.lockstep.apps.loadbalancer.BalancerAccess;
import io.lockstep.apps.loadbalancer.state.ConnectionAnswer;
import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Connection;
import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Status;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.IngressPort;
import io.lockstep.bench.variant.BalancedService.Cursor;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Freshness;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.RowCodec;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The paper's load balancer (section VI-C): the IP leads to the virtual IP, its pool's cursor is
 * replaced, and the member whose turn it was is read. It keeps no connections: each packet that
 * comes up takes the next member, whether it begins a connection or not, and the virtual IP is
 * found by its IP alone.
 *
 * @param variant not {@link Variant#OWN}
 */
record BalancerVariant(Variant variant) implements BalancerAccess {
  /**
   * How old a virtual IP from the cache may be; the store refuses what was decided on an old one.
   */
  static final long STALENESS_MILLIS = 1_000;

  /** Of one packet: its connection, and what comes then. */
  private record Question(
      ConnectionKey key, Function<@Nullable ConnectionAnswer, Decision> then, Attempts attempts) {
    Question next() {
      return new Question(key, then, attempts.next());
    }

    Decision answer(@Nullable ConnectionAnswer answer) {
      return attempts.counting(then.apply(answer));
    }

    Decision without(Status status) {
      return answer(new ConnectionAnswer(status, null));
    }

    Decision with(Bytes address, long place) {
      ByteReader in = new ByteReader(address);
      return answer(
          new ConnectionAnswer(
              Status.TAKEN,
              new Connection(
                  key,
                  in.int32(),
                  in.uint16(),
                  0,
                  0,
                  place,
                  key.service().protocol().usualIdleSeconds())));
    }
  }

  /** A virtual IP as it was read. */
  private record Vip(Bytes name, long version, long mac, Bytes pool) {
    static Vip of(Bytes name, long version, Row row) {
      return new Vip(
          name, version, new ByteReader(column(row, "mac")).int64(), column(row, "pool"));
    }
  }

  private static Bytes column(Row row, String name) {
    Bytes value = row.get(name);
    if (value == null) {
      throw new IllegalStateException("a row without the column " + name);
    }
    return value;
  }

  @Override
  public Decision address(int ip, LongFunction<Decision> then) {
    return virtualIp(
        ip, Freshness.EXACT, vip -> vip == null ? Decision.DROP : then.apply(vip.mac()));
  }

  @Override
  public Decision member(
      ConnectionKey key,
      IngressPort ingress,
      boolean begins,
      Function<@Nullable ConnectionAnswer, Decision> then) {
    Question question = new Question(key, then, Attempts.FIRST);
    return variant == Variant.CACHE
        ? fromCache(question, STALENESS_MILLIS)
        : virtualIp(
            key.service().ip(),
            Freshness.EXACT,
            vip -> {
              if (vip == null) {
                return question.without(Status.NO_SERVICE);
              }
              return variant.has(Variant.MICRO)
                  ? new Decision.Ask(TakeTurn.command(vip.pool()), reply -> taken(question, reply))
                  : pool(question, vip.pool());
            });
  }

  // ---- the virtual IP of an IP ----

  private Decision virtualIp(int ip, Freshness freshness, Function<@Nullable Vip, Decision> then) {
    Bytes key = BalancedService.ipKey(ip);
    if (!variant.has(Variant.CREF)) {
      return new Decision.Ask(
          new Command.Get(BalancedService.IPS, key),
          reply -> reply instanceof Reply.Found id ? byName(id.value(), then) : then.apply(null));
    }
    List<String> columns = variant.has(Variant.COLS) ? BalancedService.VIP_COLUMNS : List.of();
    return new Decision.Ask(
        new Command.GetThrough(BalancedService.IPS, key, columns),
        freshness,
        reply ->
            then.apply(
                reply instanceof Reply.Resolved found && !found.entries().isEmpty()
                    ? Vip.of(
                        found.entries().get(0).key(),
                        found.entries().get(0).version(),
                        RowCodec.decode(found.entries().get(0).value()))
                    : null));
  }

  private static Decision byName(Bytes name, Function<@Nullable Vip, Decision> then) {
    return new Decision.Ask(
        new Command.Get(BalancedService.VIPS, name),
        reply ->
            then.apply(
                reply instanceof Reply.Found found
                    ? Vip.of(name, found.version(), RowCodec.decode(found.value()))
                    : null));
  }

  // ---- the next member ----

  /** Reads the pool, replaces its cursor, and begins again here where another one did. */
  private Decision pool(Question question, Bytes pool) {
    return new Decision.Ask(
        new Command.Get(BalancedService.POOLS, pool),
        reply -> {
          if (!(reply instanceof Reply.Found found)) {
            return question.without(Status.NO_MEMBER);
          }
          Cursor cursor = Cursor.of(found.value());
          return cursor.isEmpty()
              ? question.without(Status.NO_MEMBER)
              : new Decision.Ask(
                  replace(pool, found, cursor.next()),
                  replaced -> {
                    if (isReplaced(replaced)) {
                      return readMember(question, cursor);
                    }
                    return question.attempts().mayRetry()
                        ? pool(question.next(), pool)
                        : question.attempts().giveUp();
                  });
        });
  }

  private Command replace(Bytes pool, Reply.Found found, Cursor next) {
    return variant.has(Variant.VERS)
        ? new Command.Replace(BalancedService.POOLS, pool, found.version(), next.bytes())
        : ReplaceByValue.command(BalancedService.POOLS, pool, found.value(), next.bytes());
  }

  static boolean isReplaced(Reply reply) {
    return reply instanceof Reply.Applied
        || (reply instanceof Reply.Returned returned
            && ReplaceByValue.isReplaced(returned.result()));
  }

  private Decision readMember(Question question, Cursor cursor) {
    Command read =
        variant.has(Variant.COLS)
            ? new Command.GetColumns(
                BalancedService.MEMBERS, cursor.member(), List.of(BalancedService.ADDRESS))
            : new Command.Get(BalancedService.MEMBERS, cursor.member());
    return new Decision.Ask(
        read,
        reply -> {
          if (reply instanceof Reply.Columns row) {
            return question.with(
                column(row.columns(), BalancedService.ADDRESS), cursor.taken() + 1);
          } else if (reply instanceof Reply.Found found) {
            Row row = RowCodec.decode(found.value());
            return question.with(column(row, BalancedService.ADDRESS), cursor.taken() + 1);
          }
          return question.without(Status.NO_MEMBER);
        });
  }

  private static Decision taken(Question question, Reply reply) {
    TakeTurn.Taken taken = TakeTurn.Taken.of(reply);
    return taken == null
        ? question.answer(null)
        : taken.member() == null
            ? question.without(Status.NO_MEMBER)
            : question.with(taken.member(), taken.place());
  }

  /** The virtual IP from the cache; where it has changed the store says so, and is asked for it. */
  private Decision fromCache(Question question, long stalenessMillis) {
    return virtualIp(
        question.key().service().ip(),
        Freshness.within(stalenessMillis),
        vip -> {
          if (vip == null) {
            return question.without(Status.NO_SERVICE);
          }
          return new Decision.Ask(
              TakeTurn.command(vip.pool(), vip.name(), vip.version()),
              reply -> {
                if (!TakeTurn.Taken.isOutdated(reply)) {
                  return taken(question, reply);
                }
                return question.attempts().mayRetry()
                    ? fromCache(question.next(), 0)
                    : question.attempts().giveUp();
              });
        });
  }
}
