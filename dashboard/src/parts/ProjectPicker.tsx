import { setParams, useAddress } from "../address/address";
import { useProjects } from "../api/memory";

/** The project that the address names; where it names none, the first one. */
export function useProject(): string | null {
  const { params } = useAddress();
  const projects = useProjects();
  const named = params.get("project");
  return named ?? projects.data?.[0]?.name ?? null;
}

/** Chooses a project. */
export function ProjectPicker() {
  const projects = useProjects();
  const project = useProject();
  const names = projects.data?.map((one) => one.name) ?? [];
  return (
    <label className="field compact">
      <span className="text-3">Project</span>
      <select aria-label="Project" value={project ?? ""} onChange={(event) => setParams({ project: event.target.value, session: null, memory: null })}>
        {project !== null && !names.includes(project) && <option>{project}</option>}
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
