package io.lockstep.deploy.placed.oracle;

import java.util.Set;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * A place of the logical table - priority and match - with all that the switch may make of it at
 * present: one answer where nothing is under way, else the old and the new one. An answer is the
 * number of a treatment, which the packets that it lets out carry with them. Guarded by its table.
 */
public final class WantedRule {
  /** The application of all rules. */
  public static final ApplicationId APP = new DefaultApplicationId(7, "org.example");

  /** An answer: there is no such rule, the next one decides. */
  public static final long ABSENT = -1;

  /** An answer: the packet is dropped. */
  public static final long DROP = -2;

  /** Destinations that carry the number of a treatment begin so; no packet of the tests does. */
  private static final long NUMBERED = 0x0600_0000_0000L;

  private static final long NUMBER = 0xffff_ffffL;

  /** What packets carry that a rule lets out. */
  public enum Mark {
    /** The number of the treatment, as their destination. */
    NUMBER,
    /** Nothing: the port tells the treatment, so there are few. */
    PORT
  }

  /** Treatments that the port tells apart. */
  static final int PORTS = 40;

  private static final int FIRST_PORT = 11;

  final int priority;
  final Match match;
  final Mark mark;

  /** What the switch may make of it now. */
  Set<Long> possible;

  /** The last that was asked for. */
  long wanted;

  WantedRule(int priority, Match match, Mark mark, long wanted) {
    this.priority = priority;
    this.match = match;
    this.mark = mark;
    this.wanted = wanted;
    this.possible = Set.of(ABSENT, wanted);
  }

  /** As an application hands it over, with an answer. */
  FlowRule flowRule(DeviceId device, long answer) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .withSelector(match.selector())
        .withTreatment(treatmentFor(answer))
        .withPriority(priority)
        .fromApp(APP)
        .makePermanent()
        .build();
  }

  /** The treatment that gives an answer. */
  TrafficTreatment treatmentFor(long answer) {
    TrafficTreatment.Builder builder = DefaultTrafficTreatment.builder();
    if (answer == DROP) {
      return builder.drop().build();
    } else if (mark == Mark.NUMBER) {
      builder.setEthDst(MacAddress.valueOf(NUMBERED | answer));
    }
    return builder.setOutput(PortNumber.portNumber(port(mark, answer))).build();
  }

  /** The port that an answer sends to; packets come in by others. */
  public static int port(Mark mark, long answer) {
    return FIRST_PORT + (int) (answer % (mark == Mark.NUMBER ? 4 : PORTS));
  }

  /** The answer that a packet carries which leaves by a port; ABSENT for none. */
  public static long answer(Mark mark, long ethDst, int port) {
    if (mark == Mark.PORT) {
      return port >= FIRST_PORT && port < FIRST_PORT + PORTS ? port - FIRST_PORT : ABSENT;
    }
    long number = ethDst & NUMBER;
    boolean numbered = (ethDst & ~NUMBER) == NUMBERED;
    return numbered && port == port(mark, number) ? number : ABSENT;
  }

  @Override
  public String toString() {
    return priority + " " + match + " -> " + possible;
  }
}
