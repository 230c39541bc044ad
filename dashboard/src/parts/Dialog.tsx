import { useEffect, useRef, type ReactNode } from "react";
import "./Dialog.css";

interface Props {
  title: string;
  children: ReactNode;
  close: () => void;
  wide?: boolean;
}

/** A dialog over the page. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, children, close, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? "dialog wide" : "dialog"}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}
