package io.lockstep.apps.loadbalancer.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.LoadBalancerProvider;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.Request;
import io.lockstep.store.core.StoreStateMachine;
import java.util.List;
import java.util.Objects;

/** The store's real state machine with the load balancer's components and tables. */
public final class BalancerStore {
  static final int VIP = ip("10.0.0.100");
  public static final ServiceAddress WEB = new ServiceAddress(TransportProtocol.TCP, VIP, 80);

  private final StoreStateMachine store =
      new StoreStateMachine(new LoadBalancerProvider().microComponents());
  private final long session;
  private long operationId;
  private long nowMillis = 1_000_000;

  public BalancerStore() {
    Request open =
        new Request(
            0, 0, List.of(new Request.Operation(0, new Command.OpenSession(1, "test", 600_000))));
    session =
        store.apply(nowMillis, open).replies().get(0) instanceof Reply.SessionOpened opened
            ? opened.sessionId()
            : -1;
    BalancerTables.all().forEach((name, spec) -> run(new Command.CreateTable(name, spec)));
  }

  public static int ip(String text) {
    return Ipv4.parse("address", text);
  }

  public Reply run(Command command) {
    Request request =
        new Request(session, 0, List.of(new Request.Operation(++operationId, command)));
    return store.apply(nowMillis, request).replies().get(0);
  }

  /** Lets the store's time pass, which goes on by half a second with each batch at most. */
  public void passSeconds(int seconds) {
    for (int i = 0; i < 2 * seconds; i++) {
      nowMillis += 500;
      run(new Command.Get(BalancerTables.COUNTS, Bytes.utf8("none")));
    }
  }

  public ConfigOutcome configure(Command command) {
    return Objects.requireNonNull(ConfigOutcome.of(run(command)));
  }

  public void done(Command command) {
    assertThat(configure(command).kind()).isEqualTo(ConfigOutcome.Kind.DONE);
  }

  /** The virtual IP {@link #WEB} with a pool of members m1, m2 ... with these weights. */
  public BalancerStore withWeb(int... weights) {
    done(
        BalancerCommands.put(
            Pool.usual("web", Pool.Method.WEIGHTED, Pool.Probe.ARP), Configure.ABSENT));
    done(BalancerCommands.put(VirtualIp.usual("web", WEB, "web"), Configure.ABSENT));
    for (int i = 1; i <= weights.length; i++) {
      done(BalancerCommands.put(member(i, weights[i - 1], Member.State.ENABLED), -1));
    }
    return this;
  }

  public static Member member(int number, int weight, Member.State state) {
    return new Member("m" + number, "web", ip("10.0.0." + number), 8_080, weight, state);
  }

  public static ConnectionKey connection(int client, int port) {
    return new ConnectionKey(ip("10.0.0.200") + client, port, WEB);
  }

  public ConnectionAnswer ask(Command command) {
    return Objects.requireNonNull(ConnectionAnswer.of(run(command)));
  }

  ConnectionAnswer take(int client, int port) {
    return take(connection(client, port), true);
  }

  /** Each client is at a port of its own. */
  ConnectionAnswer take(ConnectionKey key, boolean mayTake) {
    IngressPort ingress = new IngressPort(1, key.clientIp() & 0xff);
    return ask(TakeMember.command(key, ingress, mayTake));
  }

  /** The last octet of the member that a connection has. */
  static int memberOf(ConnectionAnswer answer) {
    return Objects.requireNonNull(answer.connection()).ip() & 0xff;
  }

  static long placeOf(ConnectionAnswer answer) {
    return Objects.requireNonNull(answer.connection()).place();
  }

  public List<Entry> entries(String table) {
    return run(new Command.Scan(table, Bytes.empty(), null, 10_000)) instanceof Reply.Entries range
        ? range.entries()
        : List.of();
  }
}
