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
   * Sends packets at once and waits for them to come back as packet-ins.
   *
   * @param way {@link PortNumber#TABLE} through the tables, {@link PortNumber#CONTROLLER} straight
   *     back
   * @param cookie of the entry that has to send them back; not looked at where they come straight
   * @throws ProbeException where they could not be sent
   */
  Flight fly(Structure structure, PortNumber way, long cookie, int packets) throws ProbeException;

  /**
   * What became of some packets.
   *
   * @param sent how many
   * @param returned how many came back
   * @param fastestNanos the shortest round trip; 0 where none came back
   * @param lastNanos from the first sent to the last that came back
   */
  record Flight(int sent, int returned, long fastestNanos, long lastNanos) {}
}
