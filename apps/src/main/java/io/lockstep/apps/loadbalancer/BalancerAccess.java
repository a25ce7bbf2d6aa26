package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.IngressPort;
import io.lockstep.apps.loadbalancer.state.TakeMember;
import io.lockstep.core.app.Decision;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the load balancer reaches the store for packets of clients. Which packets are for a virtual
 * IP it sees in its picture, so this is asked about no others. Pure: what it asks is a {@link
 * Decision.Ask}, and the next one where several are needed.
 */
public interface BalancerAccess {

  /** The product's own: ARP costs no operation, a packet one call of {@link TakeMember}. */
  BalancerAccess OWN =
      new BalancerAccess() {
        @Override
        public Decision address(int ip, LongFunction<Decision> then) {
          return then.apply(VirtualMac.of(ip));
        }

        @Override
        public Decision member(
            ConnectionKey key,
            IngressPort ingress,
            boolean begins,
            Function<@Nullable ConnectionAnswer, Decision> then) {
          return new Decision.Ask(
              TakeMember.command(key, ingress, begins),
              reply -> then.apply(ConnectionAnswer.of(reply)));
        }
      };

  /**
   * Finds the MAC address of a virtual IP for an ARP request, then decides.
   *
   * @param then with the address as a number
   */
  Decision address(int ip, LongFunction<Decision> then);

  /**
   * Finds the member for a packet to a virtual IP, then decides.
   *
   * @param ingress where the packet came in
   * @param begins whether it may begin a connection
   * @param then with null where the store gave no answer
   */
  Decision member(
      ConnectionKey key,
      IngressPort ingress,
      boolean begins,
      Function<@Nullable ConnectionAnswer, Decision> then);
}
