package io.lockstep.core.probe;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import java.util.List;
import org.onosproject.net.PortNumber;

/**
 * The switch that is probed. Every method waits for the switch, on the probe's own thread.
 *
 * @see ConnectionTarget
 */
public interface ProbeTarget {
  /** The version of OpenFlow, "1.0" or "1.3". */
  String openFlow();

  /** A port that packets can be said to come in by. */
  PortNumber port();

  /** The time, in nanoseconds from anywhere; rules that live for a while are dated by it. */
  long nanos();

  /**
   * Changes the flow tables; one outcome for each flow-mod, none of them unknown.
   *
   * @throws ProbeException where the switch did not confirm them
   */
  List<FlowModOutcome> change(List<FlowMod> mods) throws ProbeException;

  /**
   * All flow entries.
   *
   * @throws ProbeException where the switch did not say
   */
  List<FlowStats> entries() throws ProbeException;

  /**
   * How many entries a table says it has; -1 where it does not say.
   *
   * @throws ProbeException where the switch did not answer
   */
  long activeEntries(int table) throws ProbeException;

  /**
   * Sends packets at once, first some through the tables and then some that the switch sends
   * straight back, and waits for them to come back as packet-ins. A packet is given up only when
   * one that was sent straight, behind it, has come back and nothing has followed for a while: so a
   * stall of this machine or of the switch loses none.
   *
   * @param cookie of the entry that has to send the first back; not looked at for the others
   * @param through how many go through the tables
   * @param straight how many go straight; at least 1
   * @throws ProbeException where they could not be sent
   */
  Flight fly(Structure structure, long cookie, int through, int straight) throws ProbeException;

  /**
   * What became of some packets.
   *
   * @param through those that went through the tables
   * @param straight the others
   * @param straightFirst whether a packet that was sent straight was back before any other, though
   *     it was sent behind them
   */
  record Flight(Group through, Group straight, boolean straightFirst) {}

  /**
   * Packets that went the same way.
   *
   * @param sent how many
   * @param returned how many came back
   * @param fastestNanos the shortest round trip; 0 where none came back
   */
  record Group(int sent, int returned, long fastestNanos) {
    /** How many did not come back, in percent; 0 where none was sent. */
    int lostPercent() {
      return sent == 0 ? 0 : 100 * (sent - returned) / sent;
    }
  }
}
