package io.lockstep.core.flow.oracle;

import java.util.List;
import java.util.Random;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;

/** A packet of TCP over IPv4, as far as the tests' rules look at it. */
public record Frame(long inPort, int source, int destination, int tcpPort) {
  private static final int IPV4 = 0x0800;
  private static final int TCP = 6;

  /** Packets around the rules' addresses. */
  public static Frame random(Random random) {
    return new Frame(
        1 + random.nextInt(3),
        0x0a00_0000 | random.nextInt(1 << 8) << 16 | random.nextInt(1 << 16),
        0x0a00_0000 | random.nextInt(16) << 20 | random.nextInt(1 << 20),
        random.nextInt(4) == 0 ? random.nextInt(1 << 16) : 80 + random.nextInt(3));
  }

  /** Whether a selector matches. */
  public boolean matches(TrafficSelector selector) {
    for (Criterion criterion : selector.criteria()) {
      if (!matches(criterion)) {
        return false;
      }
    }
    return true;
  }

  private boolean matches(Criterion criterion) {
    return switch (criterion.type()) {
      case IN_PORT -> ((PortCriterion) criterion).port().toLong() == inPort;
      case ETH_TYPE -> (((EthTypeCriterion) criterion).ethType().toShort() & 0xffff) == IPV4;
      case IP_PROTO -> ((IPProtocolCriterion) criterion).protocol() == TCP;
      case TCP_DST -> ((TcpPortCriterion) criterion).tcpPort().toInt() == tcpPort;
      case IPV4_SRC -> within(source, (IPCriterion) criterion);
      case IPV4_DST -> within(destination, (IPCriterion) criterion);
      default -> throw new IllegalArgumentException("the oracle does not know " + criterion);
    };
  }

  private static boolean within(int address, IPCriterion criterion) {
    int bits = criterion.ip().prefixLength();
    int net = criterion.ip().address().getIp4Address().toInt();
    for (int bit = 0; bit < bits; bit++) {
      if (((address ^ net) >>> (31 - bit) & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Some packets. */
  public static List<Frame> some(Random random, int count) {
    return java.util.stream.Stream.generate(() -> random(random)).limit(count).toList();
  }
}
